import { defineConfig } from "vitest/config";

const include = ["{functions,shared,knative,test}/**/*.test.ts"];

/** The real API servers that the Kubernetes contract is held against too, where the environment names one. */
const real = ["CONTRACT_KUBECONFIG", "KUBEBUILDER_ASSETS"]
  .map((name) => [name, process.env[name]] as const)
  .filter((pair): pair is [string, string] => Boolean(pair[1]))
  .map(([name, value]) => ({
    extends: true as const,
    test: {
      name,
      include: ["test/contracts/kubernetes/*.test.ts"],
      globalSetup: "test/support/real-server.ts",
      env: { CONTRACT_KUBECONFIG: "", KUBEBUILDER_ASSETS: "", [name]: value },
    },
  }));

/** One project per kind of test: the name says what a run costs. */
export default defineConfig({
  test: {
    isolate: false,
    pool: "threads",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
    ...(real.length === 0
      ? { include }
      : { projects: [{ extends: true, test: { name: "laptop", include } }, ...real] }),
  },
});
