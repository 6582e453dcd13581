/**
 * The first HTTP request in some bytes, as far as it has come. Bodies by Content-Length only.
 */

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As far as it has come. */
  readonly body: string;
  /** Of the whole request when it is whole, else of what has come. */
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** undefined until its first line is there. */
export function httpRequestOf(received: Buffer): HttpRequest | undefined {
  const lineEnd = received.indexOf('\r\n');
  if (lineEnd < 0) return undefined;
  const [method = '', path = ''] = received.subarray(0, lineEnd).toString('latin1').split(' ');
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return { method, path, headers: {}, body: '', bytes: received.length, isWhole: false };
  const headers = headersOf(received.subarray(lineEnd + 2, headEnd).toString('latin1'));
  const wholeBytes = headEnd + 4 + Number(headers['content-length'] ?? 0);
  const isWhole = received.length >= wholeBytes;
  const bytes = isWhole ? wholeBytes : received.length;
  return {
    method,
    path,
    headers,
    body: received.subarray(headEnd + 4, bytes).toString('utf8'),
    bytes,
    isWhole,
  };
}

function headersOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
