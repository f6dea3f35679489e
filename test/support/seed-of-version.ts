import { programVersion } from '../../src/core/runtime/version.ts';

/** Others in every version, and the same for everybody who has it: a build that was green stays so. */
export const seedOfVersion = (): number => {
  // What is behind these, such as `-next.1`, is no number.
  const [major = 0, minor = 0, patch = 0] = (programVersion().match(/\d+/g) ?? []).map(Number);
  return major * 500_000_000 + minor * 10_000_000 + patch * 100_000;
};
