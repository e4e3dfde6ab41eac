/** Whether an administrator sees the checklist of a new service before anything else. */
import { kinora } from '../api.ts'

export const isSetupOpen = async (): Promise<boolean> => (await kinora.GET('/api/v1/admin/setup')).data?.isOpen ?? false
