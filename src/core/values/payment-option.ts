/** How the customer pays: MOM mobile money, CRD bank card, CRM a hosted checkout offering both. */
export type PaymentOption = 'MOM' | 'CRD' | 'CRM';
