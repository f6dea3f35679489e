import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contradictions,
  formToModal,
  modalState,
  readPurpose,
} from '../../../src/bots/slack/form-to-modal.ts';
import { openFormPress, readOpenForm } from '../../../src/bots/slack/open-form.ts';
import type { Annotations, Choice, Form } from '../../../src/commands/forms/form.ts';
import { parsed, wrong } from '../../../src/core/runtime/errors.ts';
import { anyCharacter } from '../../support/hostile-text.ts';
import { asModal, modalComplaints } from '../../support/slack/block-kit.ts';
import { stateOf } from '../../support/slack/modal-state.ts';
import { chargeForm } from './charge-form.ts';

const conversation = {
  platform: 'slack',
  workspace: 'T000000001',
  channel: 'C0SALES000',
  thread: '1700000000.000100',
};
const modalOf = (form: Form, answers: Record<string, string> = {}, annotations: Annotations = {}) =>
  asModal(formToModal(form, answers, conversation, annotations));

describe('a form as a modal', () => {
  it('asks each question, hints, choices and long texts included', () => {
    const modal = modalOf(chargeForm);
    expect(modal).toMatchObject({
      title: { text: 'Charge a customer' },
      submit: { text: 'Go on' },
      blocks: [
        {
          block_id: 'number',
          label: { text: 'Customer number' },
          hint: { text: 'For example 0244123456' },
          optional: false,
          element: { type: 'plain_text_input', multiline: false },
        },
        { block_id: 'amount' },
        { block_id: 'network', optional: true, element: { type: 'static_select' } },
        { block_id: 'reference', element: { multiline: true } },
      ],
    });
  });

  it('carries what it is for', () => {
    const { private_metadata: metadata } = modalOf(chargeForm);
    const purpose = { command: 'charge', conversation, typed: {} };
    expect(readPurpose(metadata ?? '')).toEqual(purpose);
  });

  it.each(['', 'no JSON', '{}', '{"command":"charge","conversation":{"platform":"telegram"}}'])(
    'is for nothing when it carries "%s"',
    (metadata) => {
      expect(readPurpose(metadata)).toBeUndefined();
    },
  );

  it('is filled in as far as the answers fit', () => {
    const filled = modalOf(chargeForm, { number: ' 0244123456 ', network: 'VOD' });
    expect(modalState.parse(stateOf(filled, { amount: '5' }))).toEqual({
      number: '0244123456',
      amount: '5',
      network: 'VOD',
    });
    const odd = modalOf(chargeForm, {
      number: '  ',
      network: 'somewhere',
      amount: '1',
    });
    expect(modalState.parse(stateOf(odd, { number: '1' }))).toEqual({
      number: '1',
      amount: '1',
    });
  });

  it.each([
    ['words', 'Your order is ready.\n'.repeat(400).trim()],
    ['one long word', 'x'.repeat(9_000)],
    ['emoji', '😀'.repeat(2_000)],
    ['a text just over the limit', `${'x y '.repeat(750)}z`],
  ])('keeps %s of more than 3,000 characters, over several fields', (_what, reference) => {
    const modal = modalOf(chargeForm, { number: '1', amount: '1', reference });
    expect(modalComplaints(modal)).toEqual([]);
    const blocks = modal.blocks.filter(({ block_id: id }) => id?.startsWith('reference'));
    expect(blocks.length).toBeGreaterThan(1);
    expect(modalState.parse(stateOf(modal, {}))).toMatchObject({ reference });
    const [first] = blocks.map(({ block_id: id }) => id ?? '');
    const changed = modalState.parse(stateOf(modal, { [first ?? '']: 'New beginning.' }));
    expect(changed['reference']).toMatch(/^New beginning\./);
  });

  describe('with a field that has a preset', () => {
    const MTN = { value: 'MTN', label: 'MTN Mobile Money' };
    const VOD = { value: 'VOD', label: 'Telecel Cash' };
    const form: Form = {
      ...chargeForm,
      fields: [
        {
          name: 'network',
          label: 'Network',
          choices: [MTN, VOD],
          preset: 'VOD',
          check: (answer, { number }) =>
            answer === 'VOD' && number === '0244123456' ? wrong('Not this one.') : parsed(answer),
        },
      ],
    };
    const pickedIn = (answers: Record<string, string>) => {
      const [block] = modalOf(form, answers).blocks;
      return block?.type === 'input' && block.element.type === 'static_select'
        ? block.element.initial_option?.value
        : 'no list';
    };

    it('has that choice picked when it opens, and sends it unless it is changed', () => {
      const opened = modalOf(form);
      expect(opened).toMatchObject({
        blocks: [{ element: { initial_option: { text: { text: VOD.label }, value: 'VOD' } } }],
      });
      expect(modalState.parse(stateOf(opened, {}))).toEqual({ network: 'VOD' });
    });

    it('keeps what was picked before', () => {
      expect(pickedIn({ network: 'MTN' })).toBe('MTN');
    });

    it('picks nothing when the other answers rule the preset out', () => {
      expect(pickedIn({ number: '0244123456' })).toBeUndefined();
    });
  });

  it('shows a problem beside its field, with what was typed still in it', () => {
    const problems = { amount: '"5o" is not an amount.' };
    const modal = modalOf(chargeForm, { number: '0244123456', amount: '5o' }, { problems });
    expect(modal).toMatchObject({
      blocks: [
        { hint: { text: 'For example 0244123456' } },
        { hint: { text: problems.amount }, element: { initial_value: '5o' } },
        {},
        {},
      ],
    });
  });

  describe('with suggestions for a field', () => {
    const choices = [
      { value: '+233244123456', label: 'Adwoa M. 024 *** 3456' },
      { value: '+233201234567', label: 'Kofi 020 *** 4567' },
    ];
    const list = { label: 'Or a recent customer', other: 'Another number', choices };
    const modal = modalOf(chargeForm, { amount: '5' }, { suggestions: { number: list } });
    const sent = (filled: Record<string, string>) => modalState.parse(stateOf(modal, filled));

    it('offers them in a list under the field, so neither of the two has to be filled in', () => {
      expect(modal).toMatchObject({
        blocks: [
          { block_id: 'number', optional: true },
          { label: { text: 'Or a recent customer' }, optional: true },
          { block_id: 'amount', optional: false },
          {},
          {},
        ],
      });
      expect(sent({})).toEqual({ amount: '5' });
    });

    it('takes the one that is picked for the answer of the field', () => {
      expect(sent({ 'Or a recent customer': 'Kofi 020 *** 4567' })).toEqual({
        number: '+233201234567',
        amount: '5',
      });
    });

    it('complains under the list when another answer was typed as well', () => {
      const answers = sent({
        'Customer number': '0244123456',
        'Or a recent customer': 'Kofi 020 *** 4567',
      });
      expect(contradictions(answers)).toEqual({
        'number~suggested': 'Type an answer or pick one here, not both.',
      });
      expect(contradictions(sent({ number: '0244123456' }))).toEqual({});
    });
  });

  it('greys a placeholder and never sends it', () => {
    const modal = modalOf(chargeForm, {}, { placeholders: { amount: 'Last time GHS 50.00' } });
    const [, amount] = modal.blocks;
    expect(amount).toMatchObject({ element: { placeholder: { text: 'Last time GHS 50.00' } } });
    expect(() => stateOf(modal, { number: '0244123456' })).toThrow(/Amount/);
  });

  it('shows a question asked only now and then, without insisting on it', () => {
    const form: Form = {
      ...chargeForm,
      fields: [
        { name: 'url', label: 'Address', when: () => false, check: (answer) => parsed(answer) },
      ],
    };
    expect(modalOf(form)).toMatchObject({ blocks: [{ optional: true }] });
  });

  it.each([
    [150, 'static_select'],
    [151, 'plain_text_input'],
  ])('never cuts the value of a choice: one of %i characters is of a %s', (length, type) => {
    const choices = [{ value: 'x'.repeat(length), label: 'Long' }];
    const field = { name: 'place', label: 'Place', choices, check: parsed<unknown> };
    const suggestions = { place: { label: 'Or one of these', choices } };
    const { blocks } = modalOf({ ...chargeForm, fields: [field] }, {}, { suggestions });
    expect(blocks).toMatchObject([
      { element: { type } },
      ...(length > 150 ? [] : [{ element: { type } }]),
    ]);
  });

  it('lets a choice be typed when there are more than a list can hold', () => {
    const choices = Array.from(
      { length: 101 },
      (_, each): Choice => ({
        value: `${each}`,
        label: `Number ${each}`,
      }),
    );
    const field = { name: 'currency', label: 'Currency', choices, check: parsed<unknown> };
    expect(modalOf({ ...chargeForm, fields: [field] })).toMatchObject({
      blocks: [{ element: { type: 'plain_text_input' } }],
    });
  });

  it('keeps to every limit whatever the texts are', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 100 });
    const field = fc.record({ label: text, hint: text, answer: text });
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(field, { minLength: 1, maxLength: 5 }),
        (title, label, fields) => {
          const form: Form = {
            command: 'charge',
            title,
            submitLabel: label,
            fields: fields.map(({ label, hint }, index) => ({
              name: `field${index}`,
              label,
              hint,
              check: parsed<unknown>,
            })),
          };
          const answers = Object.fromEntries(
            fields.map(({ answer }, index) => [`field${index}`, answer]),
          );
          expect(modalComplaints(formToModal(form, answers, conversation))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the button that opens a form', () => {
  const opened = (form: Form, answers: Record<string, string>, annotations = {}) => {
    const press = openFormPress(form, answers, annotations);
    return press && readOpenForm(press.id, () => chargeForm);
  };

  it('brings back the form with its title, what was typed, what is wrong and what is greyed', () => {
    const choices = [{ value: '0244123456', label: 'Kofi' }];
    const annotations = {
      problems: { number: 'Too short.' },
      placeholders: { amount: 'GHS 50' },
      suggestions: { number: { label: 'Or a customer', other: 'Another number', choices } },
    };
    const marked = { ...chargeForm, title: 'TEST · Charge' };
    const answers = { number: '0244' };
    expect(opened(marked, answers, annotations)).toEqual([marked, answers, annotations]);
  });

  it('cannot hold what is too long for it, so that is kept elsewhere', () => {
    expect(opened(chargeForm, { reference: 'x'.repeat(1_800) })?.[1]).toBeDefined();
    expect(opened(chargeForm, { reference: 'x'.repeat(2_000) })).toBeUndefined();
  });

  it('opens an empty form where it has the command alone', () => {
    expect(readOpenForm('charge', () => chargeForm)).toEqual([chargeForm, {}, {}]);
  });

  it('brings nothing for a command that has no form', () => {
    expect(readOpenForm('balance', () => undefined)).toBeUndefined();
  });
});
