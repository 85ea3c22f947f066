import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

interface About {
  user: { permissionId?: string; displayName?: string; emailAddress?: string; photoLink?: string };
}

export default implement(identity, {
  // Unlike OpenID Connect, it needs no scope besides that of the files.
  // https://developers.google.com/workspace/drive/api/reference/rest/v3/about/get
  getMe: one({
    request: () => get("/about", { fields: "user" }),
    record: ({ user }: About) => ({
      id: orNull(user.permissionId),
      name: orNull(user.displayName),
      email: orNull(user.emailAddress),
      avatar_url: orNull(user.photoLink),
    }),
  }),
});
