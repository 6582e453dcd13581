/** A small browser of one session for a running console: forms, files and event streams; no redirects and no script. */
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface Answered {
  readonly status: number;
  readonly text: string;
  /** Of the body as it was sent, which may be compressed. */
  readonly bytes: number;
  /** Where a 303 leads, without the session's own path. */
  readonly location: string;
}

/** Paths are those of the table of routes; the session's own path is put before them. */
export interface Browser {
  get(path: string): Promise<Answered>;
  post(path: string, body?: string): Promise<Answered>;
  /** The form of the page for new files. */
  upload(path: string, name: string, content: Uint8Array): Promise<Answered>;
}

const FORM = 'application/x-www-form-urlencoded';
const EDGE = 'edge-of-a-field';

export function browse(origin: string): Browser {
  let cookie = '';
  let own = '';
  const asked = (method: string, path: string, more: OutgoingHttpHeaders = {}) => {
    const headers = { origin, 'accept-encoding': 'gzip', ...(cookie === '' ? {} : { cookie }), ...more };
    return request(origin + (path.startsWith('/assets/') ? '' : own) + path, { method, headers });
  };
  const send = (method: string, path: string, body: string | Uint8Array = '', type = FORM) =>
    new Promise<Answered>((resolve, reject) => {
      const sent = asked(method, path, method === 'POST' ? { 'content-type': type } : {});
      sent.on('error', reject);
      sent.on('response', (answer: IncomingMessage) => {
        const [set] = answer.headers['set-cookie'] ?? [];
        if (set !== undefined) cookie = set.split(';')[0] ?? '';
        own ||= /Path=([^;]+)/.exec(set ?? '')?.[1] ?? '';
        const { statusCode: status = 0, headers } = answer;
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const body = Buffer.concat(chunks);
          const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
          const location = (headers.location ?? '').replace(own, '');
          resolve({ status, text, bytes: body.length, location });
        });
      });
      sent.end(body);
    });
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    upload(path, name, content) {
      const head = `--${EDGE}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
      const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${EDGE}--\r\n`)]);
      return send('POST', path, body, `multipart/form-data; boundary=${EDGE}`);
    },
  };
}
