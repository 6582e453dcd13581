/** Bugs before the first byte: what fails there was not sent, and nobody but the service is spoken to. */
import type { PlantedBug } from '../planted-bug.ts';

const SERVICE = 'src/adapters/payment-service/http-payment-service.ts';
const READY = 'src/adapters/payment-service/ready-connection.ts';
const GUARD = 'src/adapters/payment-service/address-guard.ts';
const POST = 'src/adapters/payment-service/post-transfer.ts';
const CONNECTING = 'test/wire/connecting.test.ts';
const CONNECTIONS = 'test/adapters/payment-service/connections.test.ts';

export const CONNECTING_BUGS: readonly PlantedBug[] = [
  {
    id: 'connect-failure-ends-the-run',
    bug: 'A connection that cannot be made is an error of the program instead of a row not sent.',
    file: SERVICE,
    find: '    if (!(error instanceof ConnectFailed)) throw error;\n',
    replace: '    if (error !== undefined) throw error;\n',
    caughtBy: [
      { test: CONNECTING, title: '[N1]' },
      { test: CONNECTIONS, title: '[N3]' },
      { test: CONNECTING, title: '[N27]' },
    ],
  },
  {
    id: 'handshake-after-intent',
    bug: 'A connection counts as open before its TLS handshake, so that a failure there is a doubt.',
    file: READY,
    find: "const readyEvent = destination.secure ? 'secureConnect' : 'connect';",
    replace: "const readyEvent = 'connect';",
    caughtBy: [
      { test: CONNECTING, title: '[N5]' },
      { test: CONNECTING, title: '[N6]' },
    ],
  },
  {
    id: 'one-address-tried',
    bug: 'Of several addresses only the first is tried.',
    file: READY,
    find: 'net.connect({ host: hostOf(hostname), port, autoSelectFamily: true,',
    replace: 'net.connect({ host: hostOf(hostname), port, autoSelectFamily: false,',
    also: [{ file: READY, find: '    autoSelectFamily: true,\n', replace: '    autoSelectFamily: false,\n' }],
    caughtBy: [{ test: CONNECTING, title: '[N3] on one address is no hindrance' }],
  },
  {
    id: 'connect-without-limit',
    bug: 'Nobody gives up on a connection that is never made.',
    file: READY,
    find: "const timer = setTimeout(() => fail('connect_timeout'), destination.connectTimeoutMs);",
    replace: "const timer = setTimeout(() => fail('connect_timeout'), 3_600_000);",
    caughtBy: [
      { test: CONNECTIONS, title: 'silence during the handshake' },
      { test: CONNECTING, title: '[N4]' },
    ],
  },
  {
    id: 'public-name-may-be-here',
    bug: 'A public host name that leads to this machine is connected to.',
    file: GUARD,
    find: 'addressesOf(found).some(isThisMachine)',
    replace: 'addressesOf(found).length < 0 && isThisMachine(hostname)',
    caughtBy: [{ test: CONNECTING, title: '[N2]' }],
  },
  {
    id: 'certificate-not-checked',
    bug: 'Any certificate will do.',
    file: READY,
    find: 'rejectUnauthorized: true,',
    replace: 'rejectUnauthorized: false,',
    caughtBy: [{ test: CONNECTIONS, title: 'a certificate nobody signed' }],
  },
  {
    id: 'h2-offered',
    bug: 'HTTP/2 is offered, over which a transport may repeat a request by itself.',
    file: READY,
    find: "ALPNProtocols: ['http/1.1'],",
    replace: "ALPNProtocols: ['h2', 'http/1.1'],",
    also: [
      {
        file: READY,
        find: "&& protocol !== 'http/1.1')",
        replace: "&& protocol !== 'http/1.1' && protocol !== 'h2')",
      },
    ],
    caughtBy: [{ test: CONNECTIONS, title: 'a server that insists on HTTP/2' }],
  },
  {
    id: 'alert-is-unsent',
    bug: 'A TLS alert after the request was written is taken for proof that nothing was read.',
    file: POST,
    find: "      if (phase === 'ready') return {",
    replace: "      if (phase === 'ready' || errorCode.startsWith('ERR_SSL')) return {",
    caughtBy: [{ test: CONNECTING, title: '[N8] of ours that is missed only after our side' }],
  },
  {
    id: 'half-a-request-is-unsent',
    bug: 'A request that was not written to its end is taken for one that was not read.',
    file: POST,
    find: "      if (phase === 'ready') return {",
    replace: "      if (phase === 'ready' || socket.bytesWritten < 100_000) return {",
    caughtBy: [{ test: 'test/wire/sweep.test.ts', title: '[N11]' }],
  },
  {
    id: 'proxy-of-the-environment',
    bug: 'Questions and passwords go through whatever proxy the environment names.',
    file: 'src/adapters/payment-service/read-client.ts',
    find: 'const shared = { keepAlive: true,',
    replace: 'const shared = { proxyEnv: process.env, keepAlive: true,',
    caughtBy: [{ test: 'test/wire/fault-server.test.ts', title: '[N9]' }],
  },
];
