import { parseObject } from "./object.ts";
import { at, listOf, type MutableObject, textOf } from "./schema/json.ts";
import { resourceKey, type Storage } from "./storage.ts";

const servicesResource = resourceKey("", "services");
const firstPort = 30_000;
const lastPort = 32_767;

/** Gives a Service the addresses and node ports that its type needs and that it does not have yet. */
export function assignAddresses(storage: Storage, spec: MutableObject): void {
  if (spec["type"] === "ExternalName") return;
  const used = addressesInUse(storage);
  if (!spec["clusterIP"]) spec["clusterIP"] = freeAddress(used.addresses);
  spec["clusterIPs"] ??= [textOf(spec["clusterIP"])];
  spec["ipFamilies"] ??= ["IPv4"];
  spec["ipFamilyPolicy"] ??= "SingleStack";
  const open = spec["type"] === "NodePort" || spec["type"] === "LoadBalancer";
  if (open && spec["allocateLoadBalancerNodePorts"] !== false) {
    spec["ports"] = listOf(spec["ports"]).map((port) => {
      if (at(port, "nodePort")) return port;
      const nodePort = freePort(used.ports);
      return { ...(port as object), nodePort };
    });
  }
}

const turns = new WeakMap<Storage, Promise<unknown>>();

/** Runs writes of Services one after another: an address counts as taken only once the Service that has it is stored. */
export function inTurn<T>(storage: Storage, write: () => Promise<T>): Promise<T> {
  const before = turns.get(storage) ?? Promise.resolve();
  const mine = before.then(write);
  turns.set(
    storage,
    mine.catch(() => undefined),
  );
  return mine;
}

interface InUse {
  readonly addresses: Set<string>;
  readonly ports: Set<number>;
}

function addressesInUse(storage: Storage): InUse {
  const used: InUse = { addresses: new Set(), ports: new Set() };
  for (const entry of storage.list(servicesResource)) {
    const service = parseObject(entry.text);
    used.addresses.add(textOf(at(service, "spec", "clusterIP")));
    for (const port of listOf(at(service, "spec", "ports"))) used.ports.add(Number(at(port, "nodePort") ?? 0));
  }
  return used;
}

// The range that kubeadm uses; .1 belongs to the API itself.
function freeAddress(used: Set<string>): string {
  for (let number = 2; number < 65_535; number += 1) {
    const address = `10.96.${number >>> 8}.${number & 255}`;
    if (!used.has(address)) {
      used.add(address);
      return address;
    }
  }
  throw new Error("no cluster IP is free in 10.96.0.0/16: delete Services that are not needed");
}

function freePort(used: Set<number>): number {
  for (let port = firstPort; port <= lastPort; port += 1) {
    if (used.has(port)) continue;
    used.add(port);
    return port;
  }
  throw new Error(`no node port is free between ${firstPort} and ${lastPort}: delete Services that are not needed`);
}
