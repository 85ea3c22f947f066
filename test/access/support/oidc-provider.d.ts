declare module "oidc-provider" {
  const Provider: new (issuer: string, configuration: object) => any;
  export default Provider;
}
