import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callbackMessage } from '../../../../src/core/gateway/collection-service/callback-message.ts';

describe('callbackMessage', () => {
  it.each([
    [
      'shape A',
      '{"transaction_id":"X","status":"001","status_desc":"FAILED","message":"Not enough money"}',
      'FAILED: Not enough money',
    ],
    [
      'shape B',
      '{"trans_ref":"X","trans_id":"7","trans_status":"000/01","message":"SUCCESSFUL"}',
      'SUCCESSFUL',
    ],
    ['wrapped in response_data', '{"response_data":{"message":"Timed out"}}', 'Timed out'],
    ['wrapped in data', '{"data":{"description":"Declined"}}', 'Declined'],
    ['a form', 'transaction_id=X&message=Not+enough+money', 'Not enough money'],
    ['repeated words once', '{"message":"FAILED","status_desc":"FAILED"}', 'FAILED'],
    ['direction characters', '{"message":"paid\\u202e not\\u0000 really"}', 'paid not really'],
  ])('reads %s', (_name, body, expected) => {
    expect(callbackMessage(body)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['a number', '5'],
    ['null', 'null'],
    ['broken JSON', '{"message":'],
    ['an array', '[1,2]'],
    ['no words', '{"message":7}'],
    ['prose', 'hello'],
  ])('finds no words in %s', (_name, body) => {
    expect(callbackMessage(body)).toBeUndefined();
  });

  it('cuts a long text, and no character in two', () => {
    const body = JSON.stringify({ message: `${'x'.repeat(199)}😀` });
    expect(callbackMessage(body)).toBe('x'.repeat(199));
  });

  it('never throws and never grows, whatever comes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        expect((callbackMessage(body) ?? '').length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
