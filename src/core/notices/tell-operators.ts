import type { Log } from '../runtime/log.ts';
import type { Alerts } from './alerts.ts';

export const tellOperators = (alerts: Alerts, log: Log) => {
  const logged = (told: Promise<void>): void => {
    told.catch((error) => log.error({ err: error }, 'the operators could not be told'));
  };
  return {
    /** `problems`: what is wrong with the access file, one line each; empty once it is right again. */
    accessTrouble: (file: string, problems: readonly string[]): void =>
      logged(
        alerts.tellOnce(
          'access',
          problems.length === 0
            ? { kind: 'access file mended', file }
            : { kind: 'access file', file, problems },
        ),
      ),
    /** `reason`: why a chat platform does not work; undefined once it works again. */
    chatTrouble: (platform: string, reason: string | undefined): void =>
      logged(
        reason === undefined
          ? alerts.tellOver(`chat.${platform}`, { kind: 'chat back', platform })
          : alerts.tellOnce(`chat.${platform}`, { kind: 'chat away', platform, reason }),
      ),
  };
};
