/**
 * Distance between payfile and a service on this machine: every byte travels for half a round trip, and the first ones of a
 * connection wait for one more round trip, which is what TCP's own greeting takes. Over TLS it has the certificate of the tests.
 * Arguments: port of the service, round trip in ms, "tls" or "plain". Prints its port; ends with its parent.
 */
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { tlsServer } from '../../fakes/fault-server/tls.ts';

const [servicePort = '0', roundTripText = '0', kind = 'plain'] = process.argv.slice(2);
const roundTripMs = Number(roundTripText);

/** What one side says reaches the other so much later, in the same order. */
function passOn(from: Socket, to: Socket, delayMs: () => number): void {
  const onTheWay: (() => void)[] = [];
  const later = (arrive: () => void) => {
    onTheWay.push(arrive);
    setTimeout(() => onTheWay.shift()?.(), delayMs());
  };
  from.setNoDelay(true);
  from.on('data', (data) => later(() => to.write(data)));
  from.on('end', () => later(() => to.end()));
  from.on('close', () => later(() => to.destroy()));
  from.on('error', () => undefined);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const secure = tlsServer({ certificate: 'test-only', alpn: ['http/1.1'] }, (client) => {
  const service = net.connect(Number(servicePort), '127.0.0.1');
  client.pipe(service).on('error', () => client.destroy());
  service.pipe(client).on('error', () => service.destroy());
});
const target = kind === 'tls' ? await listen(secure) : Number(servicePort);

const far = net.createServer((client) => {
  const greetedMs = performance.now() + roundTripMs;
  const near = net.connect(target, '127.0.0.1');
  passOn(client, near, () => roundTripMs / 2 + Math.max(0, greetedMs - performance.now()));
  passOn(near, client, () => roundTripMs / 2);
});
console.log(await listen(far));
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
