/**
 * Sending over TLS to a service that is far away, against the same distance without TLS: connections that are opened ahead are
 * to hide the handshakes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withWork } from './beside.ts';
import { anew, inTurns, median } from './in-turns.ts';
import { rateOf, type SendBench, shown } from './send-figures.ts';
import type { Result } from './work-result.ts';

const FAR_MS = 80;
const AUTHORITY = new URL('../fixtures/tls/test-only.cert.pem', import.meta.url);

export async function sendFarAway(bench: SendBench): Promise<void> {
  for (const atOnce of [8, 32]) {
    const far: Far = { rows: atOnce * (bench.isSmall ? 50 : 150), atOnce };
    const { plain, secure } = await inTurns({
      plain: () => sentFar(bench, 'plain', far),
      secure: () => sentFar(bench, 'tls', far),
    });
    const ratio = median(secure.map(rateOf)) / median(plain.map(rateOf));
    const name = `send tls, ${FAR_MS} ms away, ${atOnce} at once ÷ the same without TLS`;
    const detail = `TLS ${shown(secure)}; plain ${shown(plain)}; limit ${(atOnce * 1_000) / FAR_MS}/s`;
    bench.print(name, ratio, '≥ 0.95', ratio >= 0.95, detail);
  }
}

interface Far {
  readonly rows: number;
  readonly atOnce: number;
}

function sentFar(
  { folder, work, withService }: SendBench,
  kind: 'tls' | 'plain',
  { rows, atOnce }: Far,
): Promise<Result> {
  const ledger = anew(join(folder, 'send.db'));
  return withService(0, (near) => {
    const { baseUrl, authUrl, ...credentials } = JSON.parse(near);
    return withWork('far-proxy', [new URL(baseUrl).port, FAR_MS, kind], (port) => {
      const moved = (url: string) =>
        url.replace(/^http:.*:\d+/, `http${kind === 'tls' ? 's' : ''}://127.0.0.1:${port}`);
      const addresses = { baseUrl: moved(baseUrl), authUrl: moved(authUrl) };
      const trusted = kind === 'tls' ? { certificateAuthority: readFileSync(AUTHORITY, 'utf8') } : {};
      return work('send', JSON.stringify({ ...credentials, ...addresses, ...trusted }), ledger, rows, atOnce);
    });
  });
}
