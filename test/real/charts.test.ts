import { beforeAll, describe, expect, test } from "vitest";
import { readArchive } from "../../shared/adapters/tar.ts";
import { checkPackage } from "../../shared/charts/package.ts";
import { mapLimited } from "../../shared/concurrency.ts";
import { openSession, type Session } from "../support/session.ts";
import { until } from "../support/until.ts";
import { changedValues } from "./changed-values.ts";
import { type ClusterContent, openContent } from "./cluster-content.ts";
import { haveRealData, readRealPackage, realPackageNames, realPackagePath } from "./real-data.ts";

/** What is expected where a package does not go the whole way: the step that is refused and Helm's words, or no change. */
interface Exception {
  readonly because: string;
  readonly step?: Step;
  readonly says?: RegExp;
}

const fixedDefinitions = "its definitions take no values, so an upgrade only makes a new revision";
const noImages = "it has neither images nor replicas, so an upgrade only makes a new revision";
const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  "ack-s3-controller-crds-1.0.33.tgz": { because: fixedDefinitions },
  "datadog-crds-2.24.0-dev.1.tgz": { because: fixedDefinitions },
  "node-feature-discovery-crds-0.17.3.tgz": { because: fixedDefinitions },
  "plugin-barman-cloud-crds-0.11.0.tgz": { because: fixedDefinitions },
  "traefik-crds-33.0.0.tgz": { because: fixedDefinitions },
  "aws-storage-class-0.1.11.tgz": { because: noImages },
  "service-account-1.1.1.tgz": { because: noImages },
  "k8s-resources-0.8.2.tgz": { because: "it renders nothing until its values list resources" },
  "traefik-41.1.0.tgz": { because: "the package holds no templates" },
  "kibana-12.1.11.tgz": { because: "it renders its Deployment only when told where Elasticsearch is" },
  "appmesh-spire-server-1.0.7.tgz": {
    because: "it writes into a namespace that it does not create",
    step: "install",
    says: /namespaces "spire" not found/,
  },
  "capsize-0.2.0.tgz": {
    because: "it uses versions that Kubernetes no longer serves",
    step: "install",
    says: /no matches for kind "CronJob" in version "batch\/v1beta1"/,
  },
  "nats-account-server-0.8.1.tgz": {
    because: "without further values it mounts volumes that it does not declare",
    step: "install",
    says: /volumeMounts\[1\]\.name: Not found: "system-account-jwt-volume"/,
  },
  "opentelemetry-operator-0.122.0.tgz": {
    because: "it needs cert-manager's definitions",
    step: "install",
    says: /no matches for kind "Certificate" in version "cert-manager.io\/v1"/,
  },
  "mariadb-20.4.2.tgz": {
    because: "its templates refuse an upgrade without the password",
    step: "upgrade",
    says: /'auth.rootPassword' must not be empty/,
  },
  "argo-workflows-1.0.18.tgz": {
    because:
      "with two replicas it drops the strategy Recreate, and back again that clashes with the default's parameters",
    step: "rollback",
    says: /rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'/,
  },
};

const LANES = 3;
const NAMESPACE = "real";
const AT_LEAST = 40;

type Step = "install" | "upgrade" | "rollback" | "uninstall";

/** How far a package came, and what was seen on the way. */
interface Course {
  readonly failed?: { readonly step: Step; readonly message: string };
  /** Whether the upgrade changed any object. */
  readonly changed: boolean;
  /** What differs from the state after the installation once it is rolled back to. */
  readonly afterRollback: readonly string[];
  readonly residue: readonly string[];
}

const NOTHING = { changed: false, afterRollback: [], residue: [] } as const;

describe.skipIf(!haveRealData)("real charts", () => {
  const packages = realPackageNames();
  const courses = new Map<string, Course>();

  beforeAll(async () => {
    const waiting = [...packages];
    await mapLimited([...Array(LANES).keys()], LANES, async () => {
      const session = await openSession();
      try {
        await runAll(session, waiting, courses);
      } finally {
        await session.close();
      }
    });
  }, 300_000);

  test(`at least ${AT_LEAST} are installed, upgraded, rolled back and uninstalled without residue`, () => {
    const whole = [...courses.values()].filter((course) => course.failed === undefined && course.changed);
    expect(whole.length).toBeGreaterThanOrEqual(AT_LEAST);
  });

  test.each(packages)("%s", (name) => {
    const course = courses.get(name);
    const { step, says } = EXCEPTIONS[name] ?? {};
    expect(course?.failed).toEqual(says === undefined ? undefined : { step, message: expect.stringMatching(says) });
    expect(course?.residue).toEqual([]);
    if (says !== undefined) return;
    expect(course?.changed).toBe(!(name in EXCEPTIONS));
    expect(course?.afterRollback).toEqual([]);
  });
});

/** Runs what is left of the packages, one after another. */
async function runAll(session: Session, waiting: string[], courses: Map<string, Course>): Promise<void> {
  const content = await openContent(session.cluster);
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
    courses.set(name, await run(session, content, name));
  content.close();
}

async function run(session: Session, content: ClusterContent, name: string): Promise<Course> {
  const empty = await content.read();
  const course = await runWhole(session, content, name).catch((error: unknown) => {
    if (!(error instanceof StepFailed)) throw error;
    return { ...NOTHING, failed: { step: error.step, message: error.message } };
  });
  if (course.failed !== undefined) await helm(session, ["uninstall", "real", "--ignore-not-found"]);
  const residue = await settled(content, empty);
  await content.clear(empty);
  return { ...course, residue };
}

async function runWhole(session: Session, content: ClusterContent, name: string): Promise<Course> {
  const chart = realPackagePath(name);
  const checked = checkPackage(await readArchive(readRealPackage(name)));
  if (!checked.ok) throw new Error(`${name}: ${checked.message}`);
  const values = await session.file("values.json", JSON.stringify(changedValues(checked.values ?? {})));
  await step(session, ["install", "real", chart, "--create-namespace"]);
  const installed = await content.read();
  await step(session, ["upgrade", "real", chart, "--values", values]);
  const upgraded = await content.read();
  await step(session, ["rollback", "real", "1"]);
  const rolledBack = await content.read();
  await step(session, ["uninstall", "real"]);
  return {
    changed: content.differences(installed, upgraded).length > 0,
    afterRollback: content.differences(installed, rolledBack),
    residue: [],
  };
}

/** What is left of a release once the garbage collector is done; hooks and definitions from crds/ are Helm's to leave. */
async function settled(content: ClusterContent, empty: ReadonlyMap<string, object>): Promise<readonly string[]> {
  let left: readonly string[] = [];
  const gone = async (): Promise<boolean> => {
    left = await content.residue(empty);
    return left.length === 0;
  };
  await until("nothing is left of the release", gone, { timeoutMs: 5_000 }).catch(() => undefined);
  return left;
}

class StepFailed extends Error {
  readonly step: Step;
  constructor(step: Step, message: string) {
    super(message);
    this.step = step;
  }
}

async function step(session: Session, args: readonly [Step, ...string[]]): Promise<void> {
  const ran = await helm(session, args);
  if (ran.code !== 0) throw new StepFailed(args[0], ran.err.trim());
}

function helm(session: Session, args: readonly string[]): ReturnType<Session["run"]> {
  return session.run("helm", [...args, "--namespace", NAMESPACE, "--timeout", "20s"]);
}
