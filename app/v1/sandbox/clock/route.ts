export { answer as GET, answer as POST } from "@/server/http/next-host";
export * from "@/server/http/next-refused-methods";
