/** The mark and the name of the service, as the content of a link or a heading. */
import { site } from '../site.ts'
import './shell.css'

export const Brand = () => (
  <>
    {site.logo ? (
      <img className="brand-logo" src={site.logo} alt="" />
    ) : (
      <span className="brand-mark" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
    )}
    {site.name}
  </>
)
