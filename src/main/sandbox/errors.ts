/** An error as the OpenAI error object (`{ error: { message, type, code, param } }`) with its status. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    details: { type?: string; code?: string; param?: string; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.type = details.type ?? typeOfStatus(status);
    this.code = details.code ?? null;
    this.param = details.param ?? null;
    this.headers = details.headers ?? {};
  }

  toBody() {
    return { error: { message: this.message, type: this.type, code: this.code, param: this.param } };
  }
}

function typeOfStatus(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** A 400 that names the field and the rule it breaks. */
export function invalid(field: string, rule: string, code = 'invalid_value'): ApiError {
  return new ApiError(400, `${field}: ${rule}`, { param: field, code });
}

/** The first issue of a zod error as a 400, with its path as callers write it (`config.seed`, `messages[2].role`). */
export function invalidFromIssues(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  prefix = '',
): ApiError {
  const issue = issues[0];
  const path = issue?.path ?? [];
  const field = path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    prefix,
  );
  return invalid(field || 'body', issue?.message ?? 'is not understood');
}
