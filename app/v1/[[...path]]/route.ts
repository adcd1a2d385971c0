// Every path below /v1 that has no file of its own: 404 in the envelope of the API.
export * from "@/server/http/next-refused-methods";
