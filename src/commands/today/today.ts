import { type KeptDay, keptDayOf } from '../../core/records/kept-day.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import { dayAt } from '../../core/values/calendar-day.ts';
import { personOf } from '../../core/values/conversation.ts';
import { denial } from '../access/denial.ts';
import { type Card, plainCard, pressButton } from '../cards/card.ts';
import { audienceAround } from '../cards/visibility.ts';
import { type CommandRecord, type Context, rowBy, type Services } from '../command.ts';
import { scopeOf } from '../figures/scope.ts';
import { todayCard } from './today-card.ts';
import { todayFigures } from './today-figures.ts';

const [TODAY, KEEP, STOP] = ['today', 'keep-here', 'stop-keeping'] as const;
const OWN = ['me', 'my day', 'mine', 'my'];

/** `/today`: what this conversation's shop took so far; `/today me` for a person's own, to hand over the till. */
export const todayCommand = (services: Services): CommandRecord => {
  const run = async (words: string, context: Context): Promise<void> => {
    const { grants, surface } = context;
    const isOwn = OWN.includes(words.trim().toLowerCase()) || !grants.may('payments');
    await surface.say(await cardFor(services, context, isOwn));
  };
  return {
    summary: 'See what was taken today',
    deed: 'see what was taken today',
    usage: '[me]',
    examples: ['', 'me'],
    run,
    presses: {
      [TODAY]: { run },
      [KEEP]: { checksAccessItself: true, run: (_id, context) => keep(services, context) },
      [STOP]: { checksAccessItself: true, run: (_id, context) => stopKeeping(services, context) },
    },
  };
};

const cardFor = async (services: Services, context: Context, isOwn: boolean): Promise<Card> => {
  const { settings, notify, store } = services;
  const { caller, grants } = context;
  const scope = scopeOf(caller.conversation, settings.merchants, notify.rules.branches);
  const figures = await todayFigures(services, scope, isOwn ? personOf(caller) : undefined);
  const place = placeKey(caller.conversation);
  const mayKeep = grants.admin && grants.may('payments') && !isOwn && !isAlone(services, context);
  const isKept = mayKeep && (await store.get('setting', keptDayOf(place).id)) !== undefined;
  const own = pressButton('My day', TODAY, 'me', { aside: true });
  const all = pressButton('All of today', TODAY, 'all', { aside: true });
  return todayCard(figures, settings, {
    buttons: [
      ...(isOwn ? (grants.may('payments') ? [all] : []) : [own]),
      ...(mayKeep
        ? [
            isKept
              ? pressButton('Stop keeping', STOP, place, { aside: true })
              : pressButton('Keep here', KEEP, place, { aside: true }),
          ]
        : []),
    ],
  });
};

const isAlone = ({ platforms }: Services, { caller }: Context): boolean =>
  audienceAround(caller, platforms) === 'one person';

/** The right to have it in a conversation, in whose every member then reads it. */
const mayNotKeep = (services: Services, context: Context): Card | undefined => {
  const { grants } = context;
  if (!grants.admin || !grants.may('payments'))
    return denial(services, context, { what: KEEP, deed: 'keep the day here' });
  return isAlone(services, context)
    ? plainCard('Not in a private chat', 'Press Keep here in the conversation of the shop.')
    : undefined;
};

/** Its conversation is where it is pressed, and not what the button says. */
const keep = async (services: Services, context: Context): Promise<void> => {
  const { store, settings, notify, clock } = services;
  const { surface, caller } = context;
  const why = mayNotKeep(services, context);
  if (why !== undefined) return surface.answerPress(why);
  const { replyTo: _, ...conversation } = caller.conversation;
  const stored = keptDayOf(placeKey(conversation));
  const earlier = await store.get('setting', stored.id);
  if (earlier !== undefined)
    return surface.answerPress(plainCard('Already kept here', 'Look for the message of today.'));
  const scope = scopeOf(conversation, settings.merchants, notify.rules.branches);
  const sinceDay = dayAt(clock.now(), settings.timeZone);
  const shown = await todayFigures(services, scope);
  const kept: KeptDay = { conversation, by: personOf(caller), sinceDay, shown };
  const row = { kind: 'setting', id: stored.id, what: 'kept here', button: KEEP } as const;
  // Refused: another press was faster, and has the same effect.
  await store.commit({
    put: [
      stored.put(kept, undefined, { queue: 'check', atMs: clock.now() }),
      ...(await services.keptDays.owed(kept)),
    ],
    audit: [rowBy(caller, services, row)],
  });
  await surface.answerPress(
    plainCard(
      'Kept here',
      'I post each day here and pin it. When something changes, I update it.',
      'good',
    ),
  );
};

const stopKeeping = async (services: Services, context: Context): Promise<void> => {
  const { store } = services;
  const { surface, caller } = context;
  const why = mayNotKeep(services, context);
  if (why !== undefined) return surface.answerPress(why);
  const { id } = keptDayOf(placeKey(caller.conversation));
  const earlier = await store.get('setting', id);
  if (earlier !== undefined)
    await store.commit({
      remove: [{ kind: 'setting', id, version: earlier.version }],
      audit: [
        rowBy(caller, services, { kind: 'setting', id, what: 'kept no longer', button: STOP }),
      ],
    });
  await surface.answerPress(
    plainCard('No longer kept here', 'The message stays as it is. /today shows the day.'),
  );
};
