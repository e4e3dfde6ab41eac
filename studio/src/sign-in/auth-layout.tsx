/** The layout of the sign-in and sign-up pages: the form on one side, a flip-book on the other. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LanguageSelect } from '../i18n/language-select.tsx'
import { Brand } from '../shell/brand.tsx'
import { Footer } from '../shell/footer.tsx'
import { PageTitle } from '../ui/page.tsx'
import { FlipBook } from '../welcome/flip-book.tsx'
import '../ui/field.css'
import styles from './auth-layout.module.css'

export const AuthLayout = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.layout}>
    <PageTitle of={[title]} />
    <div className={styles.side}>
      <header>
        <Link to="/" className={`brand ${styles.brand}`} preload={false}>
          <Brand />
        </Link>
      </header>
      <main className={styles.form}>{children}</main>
      <div className={styles.foot}>
        <Footer>
          <LanguageSelect />
        </Footer>
      </div>
    </div>
    <div className={styles.sheet}>
      <FlipBook />
    </div>
  </div>
)
