// Every other path below /v1: 404 in the envelope of the API.
export * from "@/server/http/next-refused-methods";
