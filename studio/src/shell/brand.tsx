/** The mark and the name, as the content of a link. */
import './shell.css'

export const Brand = () => (
  <>
    <span className="brand-mark" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
    Kinora
  </>
)
