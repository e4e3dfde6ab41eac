/** The foot of every page: terms, privacy, support, API reference, check of a film, marks of films, version. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { site } from '../site.ts'
import './footer.css'

/** @param props `children`: what else belongs to the foot of this page */
export const Footer = ({ children }: { children?: ReactNode }) => (
  <footer className="footer">
    <span>{site.version ? `${site.name} ${site.version}` : site.name}</span>
    <OperatorLinks />
    <a href="/docs">{t`API reference`}</a>
    <Link to="/verify" preload={false}>{t`Check a film`}</Link>
    <Link to="/provenance" preload={false}>{t`AI marks`}</Link>
    {children}
  </footer>
)

/** The rules of the service; only what the operator has set. */
export const LegalLinks = () => (
  <>
    {site.termsUrl ? <a href={site.termsUrl}>{t`Terms`}</a> : null}
    {site.privacyUrl ? <a href={site.privacyUrl}>{t`Privacy`}</a> : null}
  </>
)

export const OperatorLinks = () => (
  <>
    <LegalLinks />
    {site.supportUrl ? <a href={site.supportUrl}>{t`Support`}</a> : null}
  </>
)
