import type { Person } from '../../core/values/conversation.ts';
import type { Context, Services } from '../command.ts';
import { frozenCard } from '../draft-buttons.ts';
import { sayWrongAnswers } from '../forms/correct-it.ts';
import type { Annotations, Answers, Form } from '../forms/form.ts';
import { readOrigin } from './charge-again.ts';
import { chargeByName } from './charge-by-name.ts';
import { answersFrom, partsFrom } from './charge-form.ts';
import { completeCharge } from './parse-charge.ts';
import type { ChargeParts } from './parse-charge-options.ts';
import { type Origin, propose } from './propose-charge.ts';
import { recentCustomers, suggestionsOf } from './recent-customers.ts';

/** From what is known of a charge to its question, or to the form that asks for the rest. */
export class TakeCharge {
  readonly #services: Services;
  readonly #form: Form;

  constructor(services: Services, form: Form) {
    this.#services = services;
    this.#form = form;
  }

  /** The caller's recent customers, for the field of the number. */
  readonly suggestedTo = async (person: Person): Promise<Annotations> => {
    const number = suggestionsOf(await recentCustomers(this.#services.store, person));
    return number === undefined ? {} : { suggestions: { number } };
  };

  /** Where the typed command, the form and the choice of a customer meet. */
  readonly proceed = async (
    parts: ChargeParts,
    context: Context,
    origin: Origin = {},
    answers: Answers = answersFrom(parts),
  ): Promise<void> => {
    const services = this.#services;
    const { surface, caller } = context;
    const frozen = await services.freeze.standing();
    if (frozen !== undefined) return surface.say(frozenCard(frozen, services.settings.timeZone));
    const request = completeCharge(parts);
    if (request !== undefined) {
      await propose(services, request, context, origin);
      return;
    }
    const { customer, number } = parts;
    if (customer !== undefined)
      return chargeByName(services, this.#form, this.proceed)({ ...parts, customer }, context);
    // As they were given: a number that was read from a colleague's payment is not shown.
    const suggested = number === undefined ? await this.suggestedTo(caller) : {};
    await surface.ask(this.#form, answers, suggested);
  };

  readonly submit = async (answers: Answers, context: Context): Promise<void> => {
    const given = await readOrigin(this.#services, answers, context);
    if ('title' in given) return context.surface.say(given);
    const read = partsFrom(given.answers, this.#services.settings);
    await (read.ok
      ? this.proceed(read.value, context, given.origin, answers)
      : sayWrongAnswers(this.#services, context, this.#form, { ...read, answers }));
  };
}
