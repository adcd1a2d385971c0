/** @type {import("next").NextConfig} */
export default {
  // This folder lies in another project. Without this line Next would take that one's root for its own.
  turbopack: { root: import.meta.dirname },
};
