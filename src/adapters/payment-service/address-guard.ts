/**
 * Name resolution that refuses to lead a public host name to this machine or its link: whoever answers there is
 * not the service, and is not to see a password. Private ranges are left alone; companies run gateways in them.
 *
 * Errors:  the lookup fails with code HOST_RESOLVES_TO_THIS_MACHINE; nothing was connected.
 */
import dns from 'node:dns';
import net from 'node:net';

const NOT_PUBLIC = new net.BlockList();
NOT_PUBLIC.addSubnet('0.0.0.0', 8);
NOT_PUBLIC.addSubnet('127.0.0.0', 8);
NOT_PUBLIC.addSubnet('169.254.0.0', 16);
NOT_PUBLIC.addAddress('::', 'ipv6');
NOT_PUBLIC.addAddress('::1', 'ipv6');
NOT_PUBLIC.addSubnet('fe80::', 10, 'ipv6');

/** For the `lookup` of node:net and node:tls. Addresses written as such never come here. */
export function guardedLookup(lookup: net.LookupFunction = dns.lookup): net.LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, found, family) => {
      if (error === null && !isLocalName(hostname) && addressesOf(found).some(isThisMachine)) {
        return callback(new HostIsThisMachine(), []);
      }
      callback(error, found, family);
    });
  };
}

class HostIsThisMachine extends Error {
  override readonly name = 'HostIsThisMachine';
  readonly code = 'HOST_RESOLVES_TO_THIS_MACHINE';
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

function addressesOf(found: string | readonly dns.LookupAddress[]): readonly string[] {
  return typeof found === 'string' ? [found] : found.map(({ address }) => address);
}

function isThisMachine(address: string): boolean {
  return NOT_PUBLIC.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');
}
