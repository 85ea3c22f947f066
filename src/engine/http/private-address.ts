import { isIP } from "node:net";
import type { AllowedPrivate } from "../../contracts/network.ts";
import { addressList, isInList } from "../../runtime/address-list.ts";

/** IPv4 is public unless it is listed: IANA's special-purpose addresses, and what clouds serve at public addresses. */
const privateIpv4 = addressList([
  "0.0.0.0/8",
  "10.0.0.0/8",
  // Also has the metadata service of Alibaba Cloud, 100.100.100.200.
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Also has the metadata services of most clouds, 169.254.169.254.
  "169.254.0.0/16",
  "172.16.0.0/12",
  // Also has the metadata service of Oracle Cloud, 192.0.0.192.
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // The host of an Azure virtual machine, which any machine in Azure reaches at this address.
  // https://learn.microsoft.com/en-us/azure/virtual-network/what-is-ip-address-168-63-129-16
  "168.63.129.16/32",
]);

/**
 * IPv6 is private unless it is in the range that is assigned for global use. That leaves out loopback, local and
 * multicast addresses, and everything that contains an IPv4 address, which a translator would forward to.
 */
const globalIpv6 = addressList(["2000::/3"]);
const privateGlobalIpv6 = addressList([
  // Protocol assignments: Teredo, benchmarking, ORCHID and others.
  "2001::/23",
  "2001:db8::/32",
  // 6to4: contains an IPv4 address.
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
]);

/** Whether an upstream must not have this address: loopback, private, link-local, reserved, or of a cloud's host. */
export function isPrivateAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return isInList(privateIpv4, ip);
  return family === 0 || !isInList(globalIpv6, ip) || isInList(privateGlobalIpv6, ip);
}

/** Says which addresses must not be called, if these private ones may be. */
export function createAddressCheck(allowed: AllowedPrivate): (ip: string) => boolean {
  if (allowed === true) return () => false;
  if (allowed === false || allowed.length === 0) return isPrivateAddress;
  const list = addressList(allowed);
  return (ip) => isPrivateAddress(ip) && !(isIP(ip) && isInList(list, ip));
}
