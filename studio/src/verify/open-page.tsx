/** The layout of a page for everyone, without the shell: the service's name, one column of text, and the footer. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LanguageSelect } from '../i18n/language-select.tsx'
import { Brand } from '../shell/brand.tsx'
import { Footer } from '../shell/footer.tsx'
import { PageTitle } from '../ui/page.tsx'
import styles from './open-page.module.css'

export const OpenPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <PageTitle of={[title]} />
    <header className={`top ${styles.top}`}>
      <Link to="/" className="brand" preload={false}>
        <Brand />
      </Link>
    </header>
    <main className={styles.page}>{children}</main>
    <div className={styles.foot}>
      <Footer>
        <LanguageSelect />
      </Footer>
    </div>
  </>
)
