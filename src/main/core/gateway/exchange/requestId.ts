import { field, type Json, textOf } from '../json/json.ts';

const HEADERS = [
  'x-request-id',
  'request-id',
  'x-oneapi-request-id',
  'x-requestid',
  'x-amzn-requestid',
  'x-goog-request-id',
  'apim-request-id',
  'x-ms-request-id',
  'x-litellm-call-id',
  'x-siliconcloud-trace-id',
  'x-tt-logid',
  'x-trace-id',
  'trace-id',
  'x-correlation-id',
  'cf-ray',
];

/** The id to quote to the service's support: from a header, the body, or the message it was written into. */
export function requestIdOf(headers: Readonly<Record<string, string>>, body?: Json): string | undefined {
  const own = HEADERS.filter((name) => name !== 'cf-ray')
    .map((name) => headers[name])
    .find(Boolean);
  const error = field(body, 'error');
  const inBody =
    textOf(field(error, 'requestId')) ??
    textOf(field(body, 'requestId', 'reqId', 'traceId')) ??
    textOf(field(field(body, 'header'), 'sid'));
  const message = textOf(field(error, 'message')) ?? textOf(field(body, 'message')) ?? '';
  const inMessage = /request[ _-]?id[:=：\s]+([\w.-]{6,80})/i.exec(message)?.[1];
  return (own ?? inBody ?? inMessage ?? headers['cf-ray'])?.slice(0, 200);
}
