import { platforms } from '../../bots/all-platforms.ts';
import { exampleIds } from '../../core/values/platform.ts';
import { address, conversationName, durationMs, line, list, word } from '../formats.ts';
import type { Variable } from '../variable.ts';

const TENTH_OF_A_SECOND_MS = 100;
const DAY_MS = 86_400_000;

/** What stands before their ids. */
const remoteNames = platforms.filter(({ isLocal }) => !isLocal).map(({ name }) => `${name}:`);

/** Who may do what, who is told, when payments are checked, and what is logged. */
export const operationVariables = {
  ACCESS_FILE: {
    meaning: 'who may do what (below)',
    default: './access.yml',
    example: './access.yml',
    expected: 'the path of a YAML file',
    schema: line,
  },
  OPERATORS: {
    meaning: 'conversations that are told what a person has to look into, comma separated',
    otherwise: 'alerts stand in the log only',
    example: exampleIds(platforms, 'place').join(','),
    expected: `${remoteNames.join(' or ')} and the id of a channel, group chat or person; several with commas`,
    schema: list(conversationName(platforms)),
  },
  STATUS_CHECK_SCHEDULE: {
    meaning:
      'delays between status checks of an unsettled payment, comma separated; the last one repeats',
    default: '10s,20s,20s,20s,20s,30s,1m,1m,1m,5m,15m,1h',
    example: '10s,20s,1m,5m,1h',
    expected: 'durations of 100ms or more, comma separated',
    schema: list(durationMs(TENTH_OF_A_SECOND_MS)),
  },
  STATUS_CHECK_GIVE_UP: {
    meaning: 'after this the payment is handed to a person',
    default: '72h',
    example: '72h',
    expected: 'a duration',
    schema: durationMs(1),
  },
  CONFIRM_WITHIN: {
    meaning: 'how long a confirmation stays valid, 24h at most',
    default: '10m',
    example: '10m',
    expected: 'a duration of 24h or less',
    schema: durationMs(1, DAY_MS),
  },
  LOG_LEVEL: {
    meaning: 'pino levels',
    default: 'info',
    example: 'info',
    expected: 'fatal, error, warn, info, debug, trace or silent',
    schema: word(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'collector that traces are sent to, over OTLP/HTTP',
    otherwise: 'no traces',
    example: 'http://localhost:4318',
    expected: 'an http or https address, without /v1/traces',
    mayBeHttp: true,
    schema: address,
  },
} as const satisfies Readonly<Record<string, Variable>>;
