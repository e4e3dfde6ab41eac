export function SignUp() {
  return (
    <div className="page">
      <title>Sign up · Kinora</title>
      <h1>Sign up</h1>
    </div>
  )
}
