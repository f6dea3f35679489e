/** What the generator is told: which requests, over how many connections, for how long. */
export type LoadPlan = {
  readonly port: number;
  readonly connections: number;
  /** A JSON array of whole HTTP/1.1 requests as text; they are sent in turn, over and over. */
  readonly requestsFile: string;
  /** Absent: every request is sent once, and that is all. */
  readonly durationMs?: number;
  /** So many a second, whatever the answers take. Absent: each connection sends as soon as it was answered. */
  readonly perSecond?: number;
  /** A connection of its own for every request. */
  readonly reconnect?: boolean;
};

export type LoadResult = {
  readonly answers: number;
  /** Answers with another status than 200, by status. */
  readonly refused: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};
