export { answer as DELETE, answer as GET, answer as PATCH } from "@/server/http/next-host";
export * from "@/server/http/next-refused-methods";
