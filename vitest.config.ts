import { defineConfig } from "vitest/config";

/** One project per kind of test: the name says what a run costs. */
export default defineConfig({
  test: {
    include: ["{functions,shared,knative,test}/**/*.test.ts"],
    isolate: false,
    pool: "threads",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
