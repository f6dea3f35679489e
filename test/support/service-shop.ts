import { freePort } from './free-port.ts';
import { type ServicePlot, startObligingService } from './obliging-service.ts';
import { type Env, type RunOptions, runApp } from './run-app.ts';

/** The whole program before a payment service whose timing the test decides, and whose callbacks arrive. */
export const openServiceShop = async (plot: ServicePlot, env: Env = {}, options?: RunOptions) => {
  const service = await startObligingService(plot);
  const port = String(await freePort());
  const here = { ...service.env(`http://127.0.0.1:${port}`), PORT: port };
  return { ...(await runApp({ ...here, ...env }, options)), service };
};
