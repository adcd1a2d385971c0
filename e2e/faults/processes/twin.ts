// A second service on the database and with the provider of the first one.
import type { Bridge } from "../../rest/bridge";
import { type Service, startService } from "../../support/service";
import type { Variables } from "../../support/service-process";

interface TwinOptions {
  /** The folder of its code; by default this project's. */
  readonly root?: string;
  /** Changes of the first one's configuration. */
  readonly env?: Variables;
}

/** Starts it and waits until it is ready. */
export function startTwin({ world }: Bridge, { root, env }: TwinOptions = {}): Promise<Service> {
  const { PORT: _port, DATA_DIR: _folder, ...shared } = world.service.variables;
  return startService({ env: { ...shared, ...env }, ...(root && { root }) });
}
