import { card, inStudio, type Picture, typed } from './scene.ts';
import { first, kofi } from './studio.ts';

export const bulk = (): Promise<Picture> =>
  inStudio(async (studio) => {
    const { desk } = studio;
    const file = [
      'number,amount,reference,name',
      ...['0244123450,50,Ama,Ama Owusu', '0244123451,75.50,Kofi,Kofi Mensah'],
      ...['0244123452,60,Esi,', '0244x,20,Yaw,', '0244123450,50,Ama,Ama Owusu'],
    ].join('\n');
    const shown = await desk.send(kofi, { name: 'dues.csv', bytes: file });
    const question = first(shown, 'a dry run');
    await studio.press(kofi, question, 'Charge');
    await studio.wait(60);
    return {
      name: 'bulk',
      alt: 'A file of charges: what it would do, then the card of its run.',
      messages: [
        typed('Kofi', 'dues.csv'),
        card(question),
        card(first(desk.edited.slice(-1), 'a run')),
      ],
    };
  });

export const fileEnd = (): Promise<Picture> =>
  inStudio(async (studio) => {
    const { desk } = studio;
    const rows = ['0244123450,60,Ama', '0244123451,60,Kofi', '0244123452,60,Esi'];
    const file = ['number,amount,reference', ...rows].join('\n');
    const shown = await desk.send(kofi, { name: 'dues.csv', bytes: file });
    await studio.press(kofi, first(shown, 'a dry run'), 'Charge');
    studio.paymentsEnd({ status: 'failed', word: 'NOT_ENOUGH_FUNDS' }, 60);
    await studio.wait(121);
    return {
      name: 'bulk-end',
      alt: 'A file of charges at its end: who paid, and one press each to remind the others or to ask again.',
      messages: [card(first(desk.edited.slice(-1), 'a run'))],
    };
  });

export const smsFile = (): Promise<Picture> =>
  inStudio(async (studio) => {
    const { desk } = studio;
    desk.gateway.onSms = () => ({ kind: 'sent', answer: {}, messageId: '7741', status: 'sent' });
    const file = [
      'number,name,amount',
      ...['0244123450,Ama Owusu,50', '0244123451,Kofi Mensah,75.50', '0244x,Yaw,20'],
    ].join('\n');
    const shown = await desk.send(kofi, { name: 'dues.csv', bytes: file }, { words: 'sms @due' });
    const question = first(shown, 'a dry run');
    await studio.press(kofi, question, 'Send 2 SMS');
    await studio.wait(60);
    return {
      name: 'sms-file',
      alt: 'A file of SMS: what it would send, then the card of its run.',
      messages: [
        typed('Kofi', 'sms @due  dues.csv'),
        card(question),
        card(first(desk.edited.slice(-1), 'a run')),
      ],
    };
  });
