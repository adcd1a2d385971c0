import { fileURLToPath } from "node:url";

/** @type {import("next").NextConfig} */
const config = {
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pg", "@prisma/client", "@prisma/adapter-pg"],
  turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) },
};

export default config;
