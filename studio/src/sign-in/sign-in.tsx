export function SignIn() {
  return (
    <div className="page">
      <title>Sign in · Kinora</title>
      <h1>Sign in</h1>
    </div>
  )
}
