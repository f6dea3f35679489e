import type { IncomingMessage } from 'node:http';
import { serveHttp } from './serve-http.ts';

/** What a test lets the service do; each gives the answer's body, or throws it as is. */
export type ServicePlot = {
  /** After the request was taken and before it is answered. */
  beforeAnswer?: (payment: TakenPayment) => Promise<void>;
  /** The status a check is told. */
  status: (payment: TakenPayment) => string;
};

export type TakenPayment = {
  readonly transactionId: string;
  readonly amount: number;
  readonly callbackUrl: string;
  /** Whose keys it came with: client key and service id. */
  readonly by: string;
  /** Calls back, with a body of the test's choice. */
  callBack(body: string, contentType?: string): Promise<number>;
};

export type TakenSms = {
  readonly text: string;
  /** Whose keys it came with, and its sender: `client/7 SHOP`. */
  readonly from: string;
};

/** A payment service over real HTTP whose timing the test decides. Service 7 has 700 SMS left, GHS 7,000 and GHS 70,000. */
export const startObligingService = async (plot: ServicePlot) => {
  const taken: TakenPayment[] = [];
  const checks: string[] = [];
  /** With whose keys, in the same order. */
  const checkedBy: string[] = [];
  const texted: TakenSms[] = [];
  const baseUrl = await serveHttp((request, response) => {
    void bodyOf(request).then(async (body) => {
      response.setHeader('content-type', 'application/json');
      const fields = JSON.parse(body) as Record<string, string | number>;
      const known = taken.find(({ transactionId }) => transactionId === fields['transaction_id']);
      switch (request.url) {
        case '/make_payment': {
          const payment = takenPayment(fields, keysOf(request, fields));
          taken.push(payment);
          await plot.beforeAnswer?.(payment);
          return response.end(
            JSON.stringify({ response_code: '202', response_message: 'received' }),
          );
        }
        case '/check_transaction_status':
          checks.push(String(fields['transaction_id']));
          checkedBy.push(keysOf(request, fields));
          return response.end(
            JSON.stringify(
              known === undefined
                ? { response_code: '067', response_message: 'No record found' }
                : {
                    response_code: '000',
                    response_message: 'ok',
                    response_data: {
                      transaction_id: known.transactionId,
                      status: plot.status(known),
                      amount: known.amount,
                    },
                  },
            ),
          );
        case '/send_sms':
          texted.push({
            text: String(fields['msg_body']),
            from: `${keysOf(request, fields)} ${fields['sender_id']}`,
          });
          return response.end(
            JSON.stringify({
              response_code: '000',
              response_message: 'sent',
              response_data: { message_id: `M${texted.length}`, status: 'sent' },
            }),
          );
        case '/check_sms_balance': {
          const hundreds = Number(fields['service_id']);
          return response.end(
            JSON.stringify({
              response_code: '000',
              response_message: 'ok',
              response_data: {
                sms_balance: hundreds * 100,
                payout_balance: hundreds * 1_000,
                collection_balance: hundreds * 10_000,
              },
            }),
          );
        }
        default:
          return response.end(
            JSON.stringify({
              response_code: '000',
              response_message: 'found',
              response_data: {
                account_name: 'KOFI MENSAH',
                account_status: 'active',
                account_type: 'mobile_money',
              },
            }),
          );
      }
    });
  });
  /** The settings of Paythread that lead here; the callback address is the listener's own. */
  const env = (publicUrl: string): Record<string, string> => ({
    PAYMENTS_BASE_URL: baseUrl,
    PAYMENTS_CLIENT_KEY: 'client',
    PAYMENTS_SECRET_KEY: 'secret',
    PAYMENTS_SERVICE_ID: '7',
    PAYMENTS_NICKNAME: 'Ama Ventures',
    PUBLIC_URL: publicUrl,
  });
  return { taken, checks, checkedBy, texted, env };
};

const keysOf = ({ headers }: IncomingMessage, fields: Record<string, string | number>): string => {
  const basic = headers.authorization?.replace(/^Basic /, '') ?? '';
  const [clientKey] = Buffer.from(basic, 'base64').toString().split(':');
  return `${clientKey}/${fields['service_id']}`;
};

const takenPayment = (fields: Record<string, string | number>, by: string): TakenPayment => {
  const callbackUrl = String(fields['callback_url']);
  return {
    transactionId: String(fields['transaction_id']),
    amount: Number(fields['amount']),
    callbackUrl,
    by,
    callBack: async (body, contentType = 'application/json') => {
      const response = await fetch(callbackUrl, {
        method: 'POST',
        body,
        headers: { 'content-type': contentType },
      });
      await response.text();
      return response.status;
    },
  };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
};
