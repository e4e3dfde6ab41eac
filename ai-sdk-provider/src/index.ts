/** The public exports of the package. */
export { createKinora, type KinoraProvider, type KinoraProviderSettings, kinora } from './provider.ts'
