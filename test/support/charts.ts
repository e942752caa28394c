import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type HelmAt,
  makeIndex,
  makePackages,
  REPOSITORY_PACKAGES,
  VENDOR_PACKAGE,
} from "../../knative/local/demo/chart-packages.ts";
import { serveCharts } from "../../knative/local/demo/chart-server.ts";
import { binary } from "./binaries.ts";

/** The demo's charts: a served repository (hello-web 1.0.0 and 1.1.0, clock 0.3.0) and a vendor's package (guestbook 2.1.0). */
export interface DemoCharts extends AsyncDisposable {
  readonly repositoryUrl: string;
  readonly vendorPackage: Uint8Array<ArrayBuffer>;
}

/** Packages the demo's charts with the real helm and serves them. */
export async function startDemoCharts(): Promise<DemoCharts> {
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-charts-"));
  const at: HelmAt = { helm: binary("helm"), folder };
  const repository = await makePackages(at, "repository", REPOSITORY_PACKAGES);
  await makeIndex(at, repository);
  const vendor = await makePackages(at, "vendor", [VENDOR_PACKAGE]);
  const [file = ""] = await readdir(vendor);
  const vendorPackage = new Uint8Array(await readFile(join(vendor, file)));
  const server = await serveCharts(repository);
  return {
    repositoryUrl: server.url,
    vendorPackage,
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
