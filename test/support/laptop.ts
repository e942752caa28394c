import { localEnvironment } from "../../knative/local/config.ts";
import { type Laptop, type LaptopOptions, startLaptop } from "../../knative/local/laptop.ts";

/** A laptop in memory on free ports, with a cluster of its own whatever KUBECONFIG says. */
export function startTestLaptop(options: Partial<LaptopOptions> = {}): Promise<Laptop> {
  const { KUBECONFIG: _, ...environment } = localEnvironment();
  return startLaptop({ environment, memory: true, ...options });
}
