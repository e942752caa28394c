import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type HelmAt, helmHome, makePackages, type PackageToMake } from "../../knative/local/demo/chart-packages.ts";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { stringifyYaml } from "../../shared/adapters/yaml.ts";
import { binary } from "./binaries.ts";

/** How a test's registry wants to be signed in to. */
export type RegistrySignIn =
  | { readonly kind: "basic" }
  | { readonly kind: "token"; readonly realm: string; readonly issuer: string; readonly certificate: string };

/** A real OCI registry of a test's own, with a helm that pushes to it. */
export interface TestRegistry extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** Folder for what the test makes. */
  readonly folder: string;
  /** Packages charts and pushes them below a path, as vendors do; returns where each package lies, in order. */
  push(path: string, packages: readonly PackageToMake[]): Promise<readonly string[]>;
  /** Runs helm with the registry's credentials. */
  helm(...args: readonly string[]): Promise<string>;
}

/** Who may read from and push to a registry that wants user name and password. */
export const REGISTRY_USER = { username: "ann", password: "pa55-w0rd" };
const ISSUER_CERTIFICATE = "issuer.crt";
const BCRYPT_OF_PASSWORD = "$2b$05$abcdefghijklmnopqrstuuykDbrHIkPBAe3TkMNzTPuBTmCT39jdG";

/** Whom a test's registry tells of pushes, as its configuration has it. */
export interface RegistryNotification {
  readonly url: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/** How a test's registry is configured. */
export interface RegistryOptions {
  readonly signIn?: RegistrySignIn;
  readonly notify?: RegistryNotification;
}

/** Starts Debian's docker-registry on a free port of 127.0.0.1; `await using` stops it and removes its files. */
export async function startRegistry({ signIn, notify }: RegistryOptions = {}): Promise<TestRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-registry-"));
  const config = join(folder, "config.yml");
  if (signIn?.kind === "token") await writeFile(join(folder, ISSUER_CERTIFICATE), signIn.certificate);
  await writeFile(join(folder, "htpasswd"), `${REGISTRY_USER.username}:${BCRYPT_OF_PASSWORD}\n`);
  await writeFile(config, stringifyYaml(configuration(folder, { signIn, notify })));
  const child = spawn(binary("docker-registry"), ["serve", config], { stdio: ["ignore", "ignore", "pipe"] });
  const host = await listeningAt(child);
  const at: HelmAt = { helm: binary("helm"), folder };
  const helm = (...args: readonly string[]) => {
    const signedIn = signIn ? ["--username", REGISTRY_USER.username, "--password", REGISTRY_USER.password] : [];
    return runCommand(at.helm, [...args, "--plain-http", ...signedIn], { env: helmHome(at) });
  };
  let pushes = 0;
  return {
    host,
    folder,
    helm,
    async push(path, packages) {
      const files: string[] = [];
      for (const each of packages) {
        const made = await makePackages(at, `push-${++pushes}`, [each]);
        const [file = ""] = await readdir(made);
        files.push(join(made, file));
        await helm("push", join(made, file), `oci://${host}/${path}`);
      }
      return files;
    },
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.kill();
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Configured {
  readonly signIn: RegistrySignIn | undefined;
  readonly notify: RegistryNotification | undefined;
}

function configuration(folder: string, { signIn, notify }: Configured) {
  const htpasswd = { realm: "test", path: join(folder, "htpasswd") };
  const auth = signIn?.kind === "token" ? { token: tokenOf(folder, signIn) } : { htpasswd };
  return {
    version: "0.1",
    log: { level: "info" },
    storage: { filesystem: { rootdirectory: join(folder, "registry") }, delete: { enabled: true } },
    http: { addr: "127.0.0.1:0", secret: "test" },
    ...(signIn ? { auth } : {}),
    ...(notify ? { notifications: { endpoints: [endpointOf(notify)] } } : {}),
  };
}

function endpointOf(notify: RegistryNotification) {
  return { name: "store", ...notify, timeout: "5s", threshold: 5, backoff: "1s" };
}

function tokenOf(folder: string, { realm, issuer }: Extract<RegistrySignIn, { kind: "token" }>) {
  return { realm, issuer, service: "registry", rootcertbundle: join(folder, ISSUER_CERTIFICATE) };
}

async function listeningAt(child: ChildProcess): Promise<string> {
  const lines: string[] = [];
  if (!child.stderr) throw new Error("docker-registry has no output");
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    const [, host] = /listening on (127\.0\.0\.1:\d+)/.exec(line) ?? [];
    if (host !== undefined) {
      child.stderr.resume();
      return host;
    }
  }
  throw new Error(`docker-registry does not start: ${lines.slice(-3).join("\n")}`);
}
