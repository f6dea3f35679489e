/** An answer of the Bot API with `ok: false`. */
export class ApiError extends Error {
  readonly code: number;
  readonly parameters: Readonly<Record<string, number>> | undefined;

  constructor(code: number, description: string, parameters?: Readonly<Record<string, number>>) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export const badRequest = (description: string, parameters?: Record<string, number>): ApiError =>
  new ApiError(400, `Bad Request: ${description}`, parameters);

export const forbidden = (description: string): ApiError =>
  new ApiError(403, `Forbidden: ${description}`);

export const tooManyRequests = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, `Too Many Requests: retry after ${retryAfterSeconds}`, {
    retry_after: retryAfterSeconds,
  });
