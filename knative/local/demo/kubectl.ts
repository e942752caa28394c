import { runCommand } from "../tools/run-command.ts";

/** The real kubectl, pointed at one cluster. */
export interface Kubectl {
  /** Runs kubectl and returns what it printed. */
  run(args: readonly string[], input?: string): Promise<string>;
  /** `kubectl apply -f -` of one object. */
  apply(object: object): Promise<string>;
  /** `kubectl get -o json`. */
  getJson<T>(args: readonly string[]): Promise<T>;
  /** `kubectl wait`: `what` is `<kind>/<name>`, `condition` what `--for` takes; throws when the time is up. */
  waitFor(what: string, condition: string, options?: WaitOptions): Promise<void>;
}

/** Where the object is and how long it may take. */
export interface WaitOptions {
  readonly namespace?: string;
  readonly seconds?: number;
}

/** Where kubectl and its configuration are. */
export interface KubectlAt {
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** For kubectl's caches. */
  readonly home: string;
}

/** Prepares calls of the real kubectl. */
export function createKubectl({ kubectl, kubeconfig, home }: KubectlAt): Kubectl {
  const env = { KUBECONFIG: kubeconfig, HOME: home, KUBECACHEDIR: home };
  const run = (args: readonly string[], input?: string) =>
    runCommand(kubectl, args, { env, timeoutMs: 600_000, ...(input === undefined ? {} : { input }) });
  return {
    run,
    apply: (object) => run(["apply", "-f", "-"], JSON.stringify(object)),
    getJson: async <T>(args: readonly string[]) => JSON.parse(await run(["get", ...args, "-o", "json"])) as T,
    async waitFor(what, condition, { namespace, seconds = 60 } = {}) {
      const where = namespace === undefined ? [] : ["--namespace", namespace];
      await run(["wait", what, `--for=${condition}`, ...where, `--timeout=${seconds}s`]);
    },
  };
}
