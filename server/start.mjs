// Starts the service from the bundles that the build made; or from its sources, where they have changed since: that builds.
const bundle = (name) => new URL(`../.next/sluice/${name}.mjs`, import.meta.url).href;

const { isUpToDate } = await import(bundle("build")).catch(() => ({ isUpToDate: async () => false }));
if (await isUpToDate()) await import(bundle("main"));
else {
  const { register } = await import("tsx/esm/api");
  register();
  await import("./main.ts");
}
