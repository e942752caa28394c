import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../../../shared/errors.ts";
import { runCommand } from "./run-command.ts";

const INSTALL =
  "Install it (Debian, Ubuntu: apt-get install nats-server; macOS: brew install nats-server) or set NATS_SERVER to its path";

/** Takes nats-server out of Debian's package into `folder`, without root and without installing anything. */
export async function fetchNatsServer(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, "nats-"));
  try {
    const unpacked = await download(work);
    return await place(join(unpacked, "usr/sbin/nats-server"), join(folder, "nats-server"));
  } catch (error) {
    throw new Error(
      `nats-server is missing and could not be taken from Debian's packages (${messageOf(error)}). ${INSTALL}`,
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function download(work: string): Promise<string> {
  const options = { cwd: work, timeoutMs: 300_000 };
  try {
    await runCommand("apt-get", ["download", "nats-server"], options);
  } catch {
    // The machine's package lists are missing or old: fetch lists of our own, which needs no root.
    const own = await ownLists(work);
    await runCommand("apt-get", [...own, "update"], options);
    await runCommand("apt-get", [...own, "download", "nats-server"], options);
  }
  const archive = (await readdir(work)).find((name) => name.endsWith(".deb"));
  if (archive === undefined) throw new Error("apt-get download left no package");
  const unpacked = join(work, "unpacked");
  await runCommand("dpkg-deb", ["-x", join(work, archive), unpacked], options);
  return unpacked;
}

async function ownLists(work: string): Promise<readonly string[]> {
  const [lists, cache] = [join(work, "lists"), join(work, "cache")];
  await Promise.all([lists, cache].map((path) => mkdir(join(path, "partial"), { recursive: true })));
  const settings = [`Dir::State::Lists=${lists}`, `Dir::Cache=${cache}`, "Debug::NoLocking=1", "APT::Sandbox::User="];
  return settings.flatMap((setting) => ["-o", setting]);
}

async function place(from: string, to: string): Promise<string> {
  const partial = join(dirname(from), "nats-server.executable");
  await copyFile(from, partial);
  await chmod(partial, 0o755);
  await rename(partial, to);
  return to;
}
