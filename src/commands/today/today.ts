import { keepNoLonger } from '../../core/notices/keep-no-longer.ts';
import { keptDayOf } from '../../core/records/kept-day.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import { defined } from '../../core/runtime/defined.ts';
import { STALE, untilStored } from '../../core/store/until-stored.ts';
import { personOf } from '../../core/values/conversation.ts';
import { denial } from '../access/denial.ts';
import type { Grants } from '../access/grants.ts';
import { type Button, type Card, plainCard, pressButton } from '../cards/card.ts';
import { isAlone } from '../cards/visibility.ts';
import { type CommandRecord, type Context, type Press, rowBy, type Services } from '../command.ts';
import type { Caller } from '../inbound.ts';
import { dayNotices } from './kept-days.ts';
import { todayCard } from './today-card.ts';
import { todayFigures } from './today-figures.ts';

const [TODAY, KEEP, STOP] = ['today', 'keep-here', 'stop-keeping'] as const;
const OWN = ['me', 'my day', 'mine', 'my'];

/** `/today`: what this conversation's shop took so far; `/today me` for a person's own, to hand over the till. */
export const todayCommand = (services: Services): CommandRecord => {
  const run = async (words: string, context: Context): Promise<void> => {
    const isOwn = OWN.includes(words.toLowerCase()) || !context.grants.may('payments');
    await context.surface.say(await cardFor(services, context, isOwn));
  };
  return {
    summary: 'See what was taken today',
    deed: 'see what was taken today',
    usage: '[me]',
    examples: ['', 'me'],
    run,
    presses: {
      [TODAY]: { run },
      [KEEP]: keeping(services, keep),
      [STOP]: keeping(services, stopKeeping),
    },
  };
};

const cardFor = async (services: Services, context: Context, isOwn: boolean): Promise<Card> => {
  const { caller, grants } = context;
  const person = isOwn ? personOf(caller) : undefined;
  const figures = await todayFigures(services, caller.conversation, { person });
  const button = (label: string, verb: string, id: string) =>
    pressButton(label, verb, id, { aside: true });
  const buttons: Button[] = [];
  if (!isOwn) buttons.push(button('My day', TODAY, 'me'));
  else if (grants.may('payments')) buttons.push(button('All of today', TODAY, 'all'));
  if (!isOwn && mayKeep(grants) && !isAlone(caller, services.platforms)) {
    const place = placeKey(caller.conversation);
    const kept = await services.store.get('setting', keptDayOf(place).id);
    buttons.push(
      kept === undefined ? button('Keep here', KEEP, place) : button('Stop keeping', STOP, place),
    );
  }
  return todayCard(figures, services.settings, { buttons });
};

/** The right to have it in a conversation, in whose every member then reads it. */
const mayKeep = (grants: Grants): boolean => grants.admin && grants.may('payments');

type Keep = (services: Services, caller: Caller) => Promise<Card>;

/** Its conversation is where it is pressed, and not what the button says. */
const keeping = (services: Services, act: Keep): Press => ({
  checksAccessItself: true,
  run: async (_id, context) => {
    const { surface, caller, grants } = context;
    if (!mayKeep(grants))
      return surface.answerPress(
        denial(services, context, { what: KEEP, deed: 'keep the day here' }),
      );
    await surface.answerPress(
      isAlone(caller, services.platforms) ? notAloneCard : await act(services, caller),
    );
  },
});

const notAloneCard = plainCard(
  'Not in a private chat',
  'Press Keep here in the conversation of the shop.',
);

const keep: Keep = async (services, caller) => {
  const { store, clock } = services;
  const { replyTo: _, ...conversation } = caller.conversation;
  const kept = { conversation, shown: await todayFigures(services, conversation) };
  const stored = keptDayOf(placeKey(conversation));
  const row = { kind: 'setting', id: stored.id, what: 'kept here', button: KEEP } as const;
  await untilStored(stored.id, async () => {
    if ((await store.get('setting', stored.id)) !== undefined) return true;
    const due = { queue: 'check', atMs: clock.now() } as const;
    const owed = await dayNotices(store, kept, due.atMs);
    // The message of before may be deleted: a new one takes its pin.
    const pinned = owed[0]?.record.message;
    const fresh = owed.map(({ kind, record: { message: _, ...record } }) => ({ kind, record }));
    const day = stored.put({ ...kept, ...defined({ pinned }) }, undefined, due);
    const audit = [rowBy(caller, services, row)];
    return (await store.commit({ put: [day, ...fresh], audit })) || STALE;
  });
  const text = 'I post each day here and pin it. When something changes, I update it.';
  return plainCard('Kept here', text, 'good');
};

const stopKeeping: Keep = async (services, caller) => {
  const by = { who: personOf(caller), where: caller.conversation, button: STOP };
  await keepNoLonger(services, placeKey(caller.conversation), by);
  return plainCard('No longer kept here', 'The message stays as it is. /today shows the day.');
};
