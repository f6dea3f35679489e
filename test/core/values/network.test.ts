import { describe, expect, it } from 'vitest';
import {
  guessNetwork,
  isCard,
  networkLabel,
  noWalletOperator,
  parseNetwork,
} from '../../../src/core/values/network.ts';

describe('a network', () => {
  it.each([
    ['MTN', ['mtn', 'MTN', 'MTN MoMo', 'mtn-momo']],
    ['VOD', ['VOD', 'voda', 'Vodafone', 'vodafone cash', 'Telecel', 'Telecel Cash']],
    ['AIR', ['AIR', 'airtel', 'tigo', 'AirtelTigo', 'Airtel Tigo Money', 'AT', 'atl', 'AT Money']],
    ['VIS', ['VIS', 'visa', 'Visa card']],
    ['MAS', ['MAS', 'Mastercard', 'master card', 'master']],
  ])('%s has its codes, brands and old names', (code, names) => {
    for (const name of names) expect(parseNetwork(name)).toBe(code);
  });

  it.each(['momo', 'mobile money', 'money', 'cash', 'card', 'glo', '', 'mtn card', 'constructor'])(
    'is not named by %j',
    (word) => {
      expect(parseNetwork(word)).toBeUndefined();
    },
  );

  it('is guessed from the prefix, which people keep when they move', () => {
    const guessOf = (prefix: string) => guessNetwork(`+233${prefix.slice(1)}4123456`);
    for (const prefix of ['024', '025', '053', '054', '055', '059'])
      expect(guessOf(prefix)).toBe('MTN');
    for (const prefix of ['020', '050']) expect(guessOf(prefix)).toBe('VOD');
    for (const prefix of ['026', '027', '056', '057']) expect(guessOf(prefix)).toBe('AIR');
    for (const prefix of ['023', '028', '030', '051']) expect(guessOf(prefix)).toBeUndefined();
    expect(guessNetwork('+14155552671')).toBeUndefined();
  });

  it('has a brand to show', () => {
    expect(networkLabel('MTN')).toBe('MTN MoMo');
    expect(networkLabel('VOD')).toBe('Telecel Cash');
    expect(networkLabel('AIR')).toBe('AT Money');
    expect(networkLabel('VIS')).toBe('Visa');
    expect(networkLabel('MAS')).toBe('Mastercard');
  });

  it('is a wallet or a card', () => {
    expect(isCard('VIS')).toBe(true);
    expect(isCard('MAS')).toBe(true);
    expect(isCard('MTN')).toBe(false);
  });
});

describe('operators without wallets', () => {
  it('are known by prefix', () => {
    expect(noWalletOperator('+233231234567')).toBe('Glo');
    expect(noWalletOperator('+233281234567')).toBe('Expresso');
    expect(noWalletOperator('+233244123456')).toBeUndefined();
    expect(noWalletOperator('+14155552671')).toBeUndefined();
  });
});
